/// A certificate for court.local, 192.168.1.20 and fd00::1, made for the tests with
/// `openssl req -x509`, and valid for a hundred years.
package enum TestCertificate {
  package static let certificate = """
    -----BEGIN CERTIFICATE-----
    MIIBtjCCAVygAwIBAgIUS7XALUyIda/yfgMWehf5IHMNlHYwCgYIKoZIzj0EAwIw
    EDEOMAwGA1UEAwwFY291cnQwIBcNMjYxMTIzMDkwODE4WhgPMjEyNjEwMzAwOTA4
    MThaMBAxDjAMBgNVBAMMBWNvdXJ0MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE
    wZtHLOLHp3x/9QX0fa6KtbDSEJm8IKzNktpFgnSSJMjFWocPK46gwb1fB+rVGe0b
    R85lxEEAv8XXo/vjnB2OKKOBkTCBjjAdBgNVHQ4EFgQUKBjqT20OvGIwI+njME7N
    /fZ6dNAwHwYDVR0jBBgwFoAUKBjqT20OvGIwI+njME7N/fZ6dNAwDwYDVR0TAQH/
    BAUwAwEB/zA7BgNVHREENDAyggtjb3VydC5sb2NhbIcEwKgBFIcQ/QAAAAAAAAAA
    AAAAAAAAAYELYUBiLmV4YW1wbGUwCgYIKoZIzj0EAwIDSAAwRQIgSBEntlsoE6Ul
    I7+YPTYQG4KCFySicriHj8Rss75vE/MCIQCmbTut2SS5q4S/zAzZNPI36V1mg/6z
    +1g3pvU3nhAS4A==
    -----END CERTIFICATE-----
    """

  package static let key = """
    -----BEGIN PRIVATE KEY-----
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgzGCLcStfpzg4sX1H
    SrLWu+NTJDpNWoqxscvzxj/SrjihRANCAATBm0cs4senfH/1BfR9roq1sNIQmbwg
    rM2S2kWCdJIkyMVahw8rjqDBvV8H6tUZ7RtHzmXEQQC/xdej++OcHY4o
    -----END PRIVATE KEY-----
    """

  package static let otherKey = """
    -----BEGIN PRIVATE KEY-----
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQggD6iVeQ+6xBseXFj
    8Q1sCWpS1oWjsLIQL5Tuzc7wfx2hRANCAATmfgPR2gABrgpff0GSdSau37Is3EFZ
    jx3PMc3al6C3mO8lysdnDoyM6wjFw/rY+dHfk2N3hlRIUZ1npvAZ6gF6
    -----END PRIVATE KEY-----
    """

  /// ``key`` with the passphrase `secret`.
  package static let lockedKey = """
    -----BEGIN ENCRYPTED PRIVATE KEY-----
    MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAjKcL4JdzP6jwICCAAw
    DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEELHpT3cnjopdzs9Umd6EwyAEgZC8
    /6eoVoQq1K2SR5WO06TsFuFQ5StTFXIyEjIIsIxES3+jtODoBGW3uRP2tTLBB0Jj
    iPX1MF/ROJbVZtwYkF4tKefxAVOSWsRm4NAfmGR/EXnBAhcjsb10vRcXwH+AmLXv
    YPRaN50h3m1goqPnLEbgRRdvyJVV12fjvqg1x2MJsem9RIRItuh5cPA6kyRJdPU=
    -----END ENCRYPTED PRIVATE KEY-----
    """
}
