// libmosquitto: a client of MQTT.

#ifndef CMOSQUITTO_SHIM_H
#define CMOSQUITTO_SHIM_H

#include <mosquitto.h>
// libmosquitto 2.1 has MQTT's numbers in a folder; their old place warns there.
#if __has_include(<mosquitto/mqtt_protocol.h>)
#include <mosquitto/mqtt_protocol.h>
#else
#include <mqtt_protocol.h>
#endif
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

// How many bytes have come in on this connection, with those that wait to be read; 0 if it has ended.
static inline unsigned long long mosquitto_received(int socket) {
  // tcpi_bytes_received of linux/tcp.h, which glibc's header leaves out.
  unsigned long long words[17] = {0};
  socklen_t size = sizeof words;
  return getsockopt(socket, IPPROTO_TCP, TCP_INFO, words, &size) == 0 ? words[16] : 0;
}

#endif
