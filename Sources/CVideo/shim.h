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

#endif
