// OpenSSL, which libmosquitto uses for TLS.

#ifndef COPENSSL_SHIM_H
#define COPENSSL_SHIM_H

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

// What OpenSSL has as macros, which Swift does not see.

static inline int openssl_set_least_version(SSL_CTX *context, int version) {
  return SSL_CTX_set_min_proto_version(context, version) == 1;
}

// The name that the broker is asked for (SNI); NULL: none.
static inline int openssl_ask_for(SSL *connection, const char *name) {
  return SSL_set_tlsext_host_name(connection, name) == 1;
}

static inline int openssl_count(const GENERAL_NAMES *names) { return sk_GENERAL_NAME_num(names); }

static inline const GENERAL_NAME *openssl_name(const GENERAL_NAMES *names, int index) {
  return sk_GENERAL_NAME_value(names, index);
}

#endif
