// What `web/build` writes beside the worker, and what it calls.

declare module "*/bsq.js" {
  export default function init(options: { module_or_path: URL }): Promise<unknown>;
  export class Answers {
    constructor(memory: number);
    answer(path: string, body?: string): string;
  }
}
