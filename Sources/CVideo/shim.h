// Video4Linux, the kernel's interface to cameras.

#ifndef CVIDEO_SHIM_H
#define CVIDEO_SHIM_H

#include <linux/videodev2.h>
#include <sys/ioctl.h>

// Swift imports neither the requests' macros nor a function with variable arguments.
#define VIDEO_CALL(name, request, type) \
  static inline int name(int file, type *value) { return ioctl(file, request, value); }

VIDEO_CALL(video_query_capabilities, VIDIOC_QUERYCAP, struct v4l2_capability)
VIDEO_CALL(video_enumerate_formats, VIDIOC_ENUM_FMT, struct v4l2_fmtdesc)
VIDEO_CALL(video_enumerate_sizes, VIDIOC_ENUM_FRAMESIZES, struct v4l2_frmsizeenum)
VIDEO_CALL(video_enumerate_intervals, VIDIOC_ENUM_FRAMEINTERVALS, struct v4l2_frmivalenum)
VIDEO_CALL(video_set_format, VIDIOC_S_FMT, struct v4l2_format)
VIDEO_CALL(video_set_parameters, VIDIOC_S_PARM, struct v4l2_streamparm)
VIDEO_CALL(video_request_buffers, VIDIOC_REQBUFS, struct v4l2_requestbuffers)
VIDEO_CALL(video_query_buffer, VIDIOC_QUERYBUF, struct v4l2_buffer)
VIDEO_CALL(video_queue_buffer, VIDIOC_QBUF, struct v4l2_buffer)
VIDEO_CALL(video_dequeue_buffer, VIDIOC_DQBUF, struct v4l2_buffer)
VIDEO_CALL(video_start_stream, VIDIOC_STREAMON, int)
VIDEO_CALL(video_query_control, VIDIOC_QUERYCTRL, struct v4l2_queryctrl)
VIDEO_CALL(video_set_control, VIDIOC_S_CTRL, struct v4l2_control)

#undef VIDEO_CALL

// What a driver is asked for, and what it chose, of one kind of devices or the other: the format of
// several planes is packed, which Swift can't read.
struct video_picture {
  unsigned width, height, pixel_format;
  // How many pieces of memory a frame has, and the distance between two rows in each.
  unsigned planes, bytes_per_row[3];
};

static inline int video_set_picture(int file, unsigned type, struct video_picture *picture) {
  struct v4l2_format format = {.type = type};
  struct v4l2_pix_format *one = &format.fmt.pix;
  struct v4l2_pix_format_mplane *several = &format.fmt.pix_mp;
  int has_planes = type == V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE;
  if (has_planes) {
    several->width = picture->width;
    several->height = picture->height;
    several->pixelformat = picture->pixel_format;
    several->field = V4L2_FIELD_NONE;
  } else {
    one->width = picture->width;
    one->height = picture->height;
    one->pixelformat = picture->pixel_format;
    one->field = V4L2_FIELD_NONE;
  }
  if (ioctl(file, VIDIOC_S_FMT, &format) != 0) return -1;
  picture->width = has_planes ? several->width : one->width;
  picture->height = has_planes ? several->height : one->height;
  picture->pixel_format = has_planes ? several->pixelformat : one->pixelformat;
  picture->planes = has_planes ? several->num_planes : 1;
  for (unsigned plane = 0; plane < 3 && plane < picture->planes; plane++)
    picture->bytes_per_row[plane] = has_planes ? several->plane_fmt[plane].bytesperline : one->bytesperline;
  return 0;
}

#endif
