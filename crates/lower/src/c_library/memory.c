/* More ways to allocate memory. Every object starts at a multiple of 256. */

void *realloc(void *, size_t);

void *aligned_alloc(size_t align, size_t size)
{
  if (align == 0 || (align & (align - 1)) != 0 || align > 256)
    $other();
  return malloc(size);
}

int posix_memalign(void **to, size_t align, size_t size)
{
  if (align % sizeof(void *) != 0 || align == 0 || (align & (align - 1)) != 0)
    return 22;
  *to = aligned_alloc(align, size);
  return 0;
}

void *reallocarray(void *old, size_t count, size_t size)
{
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes))
    $other();
  return realloc(old, bytes);
}
