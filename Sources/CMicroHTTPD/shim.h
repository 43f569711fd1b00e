// libmicrohttpd, an HTTP server without threads of its own: its functions with variable arguments,
// which Swift can't call.

#ifndef CMICROHTTPD_SHIM_H
#define CMICROHTTPD_SHIM_H

#include <microhttpd.h>
#include <sys/socket.h>

// What a server is started with. Sizes are in bytes, times in seconds.
struct microhttpd_settings {
  int listener;
  unsigned connections;
  unsigned connections_per_address;
  unsigned timeout;
  size_t memory;
  // From -1, lenient, to 1, strict.
  int strictness;
  // Null: plain HTTP.
  const char *key;
  const char *certificate;
};

static inline struct MHD_Daemon *microhttpd_start(
    struct microhttpd_settings settings, MHD_AccessHandlerCallback handle,
    MHD_RequestCompletedCallback end, MHD_NotifyConnectionCallback change, void *context) {
  struct MHD_OptionItem options[] = {
      {MHD_OPTION_LISTEN_SOCKET, settings.listener, 0},
      {MHD_OPTION_NOTIFY_COMPLETED, (intptr_t)end, context},
      {MHD_OPTION_NOTIFY_CONNECTION, (intptr_t)change, context},
      {MHD_OPTION_CONNECTION_LIMIT, settings.connections, 0},
      {MHD_OPTION_PER_IP_CONNECTION_LIMIT, settings.connections_per_address, 0},
      {MHD_OPTION_CONNECTION_TIMEOUT, settings.timeout, 0},
      {MHD_OPTION_CONNECTION_MEMORY_LIMIT, (intptr_t)settings.memory, 0},
      {MHD_OPTION_STRICT_FOR_CLIENT, settings.strictness, 0},
      {settings.key ? MHD_OPTION_HTTPS_MEM_KEY : MHD_OPTION_END, 0, (void *)settings.key},
      {MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)settings.certificate},
      {MHD_OPTION_HTTPS_PRIORITIES, 0, (void *)"NORMAL:-VERS-ALL:+VERS-TLS1.3"},
      {MHD_OPTION_END, 0, 0},
  };
  unsigned flags = MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | (settings.key ? MHD_USE_TLS : 0);
  return MHD_start_daemon(flags, 0, 0, 0, handle, context, MHD_OPTION_ARRAY, options, MHD_OPTION_END);
}

static inline int microhttpd_epoll(struct MHD_Daemon *daemon) {
  return MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
}

static inline const struct sockaddr *microhttpd_peer(struct MHD_Connection *connection) {
  return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS)->client_addr;
}

static inline int microhttpd_socket(struct MHD_Connection *connection) {
  return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
}

// Swift does not see this constant's cast.
static const uint64_t microhttpd_unknown_size = MHD_SIZE_UNKNOWN;

#endif
