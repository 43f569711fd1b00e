"""The ball machine as an independent GATT peer, and the kernel's virtual controllers.

Everything below the control socket is Bumble's: link layer, host and GATT server. Nothing here is
shared with the Swift sources, so that the two can disagree.

    lines ─▶ control ─▶ verbs ─▶ world ─▶ machine ─▶ server      a GATT server with faults
                                   │          └────▶ controllers ─▶ radio ─▶ controllers
                                   └▶ vhci, or uart ────────────────────────────┘  ◀─▶ kernel
"""
