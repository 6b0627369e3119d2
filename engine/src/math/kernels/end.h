/* Undefines what math/kernels/number.h defined: the number type of a kernel. */
#undef KERNEL_WIDTH
#undef NUM
#undef MASK
#undef BITS
#undef OF
