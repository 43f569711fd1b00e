// libjpeg-turbo's libjpeg: reads and writes JPEG. It ends an error by longjmp, which Swift can't cross, and says
// what a warning is about by a number, so a picture is read and written as a whole here.

#ifndef CJPEG_SHIM_H
#define CJPEG_SHIM_H

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

#include <jerror.h>

// How a picture was read.
struct jpeg_reading {
  // Whether it has faults that cost no pixel: a few stray bytes before a marker, padding, no end mark.
  int has_faults;
  // Whether it ends before its last pixel.
  int is_cut;
  // The first thing that is wrong with its pixels; empty: they are all there.
  char problem[JMSG_LENGTH_MAX];
};

struct jpeg_errors {
  struct jpeg_error_mgr library;
  jmp_buf end;
  struct jpeg_reading *reading;
  const struct jpeg_source_mgr *source;
  const unsigned char *bytes;
  unsigned most_stray;
};

static inline void jpeg_note_problem(j_common_ptr picture) {
  struct jpeg_errors *errors = (struct jpeg_errors *)picture->err;
  if (errors->reading->problem[0] == 0) errors->library.format_message(picture, errors->reading->problem);
}

static inline void jpeg_note_error(j_common_ptr picture) {
  jpeg_note_problem(picture);
  longjmp(((struct jpeg_errors *)picture->err)->end, 1);
}

// Whether the bytes before the next one to be read, at most that many, are all the same.
static inline int jpeg_is_padding(const struct jpeg_errors *errors, unsigned count) {
  if (errors->source == NULL) return 0;
  const unsigned char *last = errors->source->next_input_byte - 1;
  for (const unsigned char *at = last; at > errors->bytes && count > 0; at--, count--)
    if (*at != *last) return 0;
  return 1;
}

static inline void jpeg_note_warning(j_common_ptr picture, int level) {
  struct jpeg_errors *errors = (struct jpeg_errors *)picture->err;
  if (level >= 0) return;
  unsigned stray = (unsigned)errors->library.msg_parm.i[0];
  switch (errors->library.msg_code) {
  case JWRN_EXTRANEOUS_DATA:
    if (stray <= errors->most_stray || jpeg_is_padding(errors, stray))
      errors->reading->has_faults = 1;
    else
      jpeg_note_problem(picture);
    break;
  // There is no end mark, which costs nothing where no pixel is missing.
  case JWRN_JPEG_EOF:
    errors->reading->has_faults = 1;
    errors->reading->is_cut = 1;
    break;
  default: jpeg_note_problem(picture);
  }
}

// Reads a picture that is shrunk by 1, 2, 4 or 8, in blue, green, red, or in grey. Some cameras put up to `most_stray`
// stray bytes before a marker. The pixels are worth nothing if there is a problem.
static inline void jpeg_picture_read(
  const unsigned char *bytes, unsigned long count, int divisor, int grey, unsigned most_stray,
  unsigned char *pixels, int width, int height, struct jpeg_reading *reading
) {
  struct jpeg_decompress_struct picture;
  struct jpeg_errors errors;
  *reading = (struct jpeg_reading){0};
  picture.err = jpeg_std_error(&errors.library);
  errors.library.error_exit = jpeg_note_error;
  errors.library.emit_message = jpeg_note_warning;
  errors.reading = reading;
  errors.source = NULL;
  errors.bytes = bytes;
  errors.most_stray = most_stray;
  jpeg_create_decompress(&picture);
  if (setjmp(errors.end) == 0) {
    jpeg_mem_src(&picture, bytes, count);
    errors.source = picture.src;
    jpeg_read_header(&picture, TRUE);
    picture.scale_num = 1;
    picture.scale_denom = (unsigned)divisor;
    picture.out_color_space = grey ? JCS_GRAYSCALE : JCS_EXT_BGR;
    picture.dct_method = JDCT_FASTEST;
    picture.do_fancy_upsampling = FALSE;
    jpeg_start_decompress(&picture);
    int is_expected = picture.output_width == (unsigned)width && picture.output_height == (unsigned)height;
    if (!is_expected) strcpy(reading->problem, "its size is another than its header's");
    while (is_expected && picture.output_scanline < picture.output_height) {
      JSAMPROW row = pixels + (size_t)picture.output_scanline * picture.output_width * picture.output_components;
      jpeg_read_scanlines(&picture, &row, 1);
    }
    if (is_expected) jpeg_finish_decompress(&picture);
  }
  jpeg_destroy_decompress(&picture);
}

// Writes a picture in blue, green, red. So many pixels in a row and in a column share a colour. The caller frees what
// was written.
static inline int jpeg_picture_write(
  const unsigned char *pixels, int width, int height, int quality, int in_row, int in_column,
  unsigned char **written, unsigned long *count
) {
  struct jpeg_compress_struct picture;
  struct jpeg_errors errors;
  struct jpeg_reading unread = {0};
  picture.err = jpeg_std_error(&errors.library);
  errors.library.error_exit = jpeg_note_error;
  errors.reading = &unread;
  jpeg_create_compress(&picture);
  int failed = setjmp(errors.end);
  if (failed == 0) {
    jpeg_mem_dest(&picture, written, count);
    picture.image_width = (unsigned)width;
    picture.image_height = (unsigned)height;
    picture.input_components = 3;
    picture.in_color_space = JCS_EXT_BGR;
    jpeg_set_defaults(&picture);
    picture.comp_info[0].h_samp_factor = in_row;
    picture.comp_info[0].v_samp_factor = in_column;
    jpeg_set_quality(&picture, quality, TRUE);
    jpeg_start_compress(&picture, TRUE);
    while (picture.next_scanline < picture.image_height) {
      JSAMPROW row = (JSAMPROW)pixels + (size_t)picture.next_scanline * picture.image_width * 3;
      jpeg_write_scanlines(&picture, &row, 1);
    }
    jpeg_finish_compress(&picture);
  }
  jpeg_destroy_compress(&picture);
  return failed;
}

#endif
