/* Ends what math/kernels/number.h began: undefines the number type of a kernel. */
#undef KERNEL_WIDTH
#undef NUM
#undef MASK
#undef BITS
#undef OF
