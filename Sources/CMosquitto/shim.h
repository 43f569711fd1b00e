// libmosquitto: a client of MQTT.

#ifndef CMOSQUITTO_SHIM_H
#define CMOSQUITTO_SHIM_H

#include <dlfcn.h>
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

// Why OpenSSL does not trust the broker's certificate; NULL if it does, or has seen none: libmosquitto
// says no more than that the verification failed. libmosquitto brings OpenSSL into the process, so that
// its two calls need no headers.
static inline const char *mosquitto_distrust(struct mosquitto *client) {
  void *ssl = mosquitto_ssl_get(client);
  long (*verified)(const void *) = (long (*)(const void *))dlsym((void *)0, "SSL_get_verify_result");
  const char *(*text)(long) = (const char *(*)(long))dlsym((void *)0, "X509_verify_cert_error_string");
  if (ssl == NULL || verified == NULL || text == NULL) return NULL;
  long reason = verified(ssl);
  return reason == 0 ? NULL : text(reason);
}

// How many bytes have come in on this connection, with those that wait to be read; 0 if it has ended.
static inline unsigned long long mosquitto_received(int socket) {
  // tcpi_bytes_received of linux/tcp.h, which glibc's header leaves out.
  unsigned long long words[17] = {0};
  socklen_t size = sizeof words;
  return getsockopt(socket, IPPROTO_TCP, TCP_INFO, words, &size) == 0 ? words[16] : 0;
}

// OpenSSL asks the terminal for a key's passphrase unless this has none for it.
static inline int mosquitto_no_passphrase(char *buffer, int size, int writing, void *context) {
  (void)buffer, (void)size, (void)writing, (void)context;
  return 0;
}

#endif
