// GnuTLS, which libmicrohttpd uses too: its hashes, and what it can read of a certificate.

#ifndef CGNUTLS_SHIM_H
#define CGNUTLS_SHIM_H

#include <gnutls/crypto.h>
#include <gnutls/gnutls.h>
#include <gnutls/x509.h>

#endif
