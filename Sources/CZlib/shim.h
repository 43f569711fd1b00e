// zlib: bytes as a gzip file. It begins with macros, which Swift can't call.

#ifndef CZLIB_SHIM_H
#define CZLIB_SHIM_H

#include <string.h>
#include <zlib.h>

// The most bytes that a gzip file of so many has: zlib's own format has 6 around them, gzip's 18.
static inline size_t zlib_gzip_bound(size_t count) { return compressBound(count) + 12; }

// Writes SOURCE as a gzip file (RFC 1952) without a name and a time. Returns its size; 0: it failed.
static inline size_t zlib_gzip(const unsigned char *source, size_t count, unsigned char *target, size_t room) {
  z_stream stream;
  memset(&stream, 0, sizeof stream);
  // 16 more than the largest window asks for gzip. Source: zlib.h, deflateInit2.
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY) != Z_OK) return 0;
  stream.next_in = (unsigned char *)source;
  stream.avail_in = count;
  stream.next_out = target;
  stream.avail_out = room;
  int result = deflate(&stream, Z_FINISH);
  size_t size = stream.total_out;
  deflateEnd(&stream);
  return result == Z_STREAM_END ? size : 0;
}

#endif
