//! Functions compiled for several kinds of processors; which one runs is found out at run time.

/// Compiles functions for processors with AVX-512, with AVX2, and with neither. What they call must
/// be inlined to be compiled so too.
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
