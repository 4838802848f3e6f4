//! Functions compiled for several instruction sets and selected at run time.

/// Compiles functions for AVX-512, for AVX2, and for neither; the best version for the processor is
/// selected at run time. Functions that they call must be inlined to be compiled likewise.
#[macro_export]
macro_rules! for_each_cpu {
    ($($function:item)*) => {
        $(
            #[multiversion::multiversion(targets(
                "x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+avx512vpopcntdq+bmi1+bmi2+lzcnt+popcnt",
                "x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"
            ))]
            $function
        )*
    };
}
