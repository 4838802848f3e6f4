import js from "@eslint/js";

export default [
  { ignores: ["page/vendor", "dist"] },
  js.configs.recommended,
  {
    rules: {
      eqeqeq: "error",
      "no-param-reassign": "error",
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
      // TypeScript knows the names, and which are not used.
      "no-undef": "off",
      "no-unused-vars": "off",
    },
  },
];
