#!/usr/bin/env bash
#
# RabbitMQ 4.0.5's plugin for MQTT (Debian 13) takes a retained message and acknowledges it, but:
#
# 1. Only a subscriber to exactly that topic gets it. One whose subscription has a wildcard gets nothing that was kept,
#    and no error: the SUBACK grants it.
# 2. In a cluster of two nodes, it stays on the node where it was published. A subscriber to exactly that topic on the
#    other node gets nothing, while what is published from then on reaches both. CONNACK says "retain available" on both.
#
# A good guess: as MQTT 3.1.1 has it (3.3.1-6), each matching subscription gets what is kept; and a cluster is one broker.
#
# It matters to us because the office's table subscribes to ballmachine/#, and a court is a box's own as long as the
# retained message `box' says so: without that, the office sees no court, and two boxes can take the same one.
#
# Runs the packages rabbitmq-server and mosquitto-clients of Debian 13, in a system and a network of their own. Takes root,
# 120 MB to download, and a minute. Ends with 1 if something has changed.
#
set -euo pipefail
here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
# shellcheck source=findings/rabbitmq.bash
source "$here/rabbitmq.bash"
make_rabbitmq

in_system << 'END'
source /rabbitmq.bash
printf 'listeners.tcp = none\nmqtt.listeners.tcp.1 = 127.0.0.1:1884\n' > /etc/rabbitmq/two.conf
export RABBITMQ_NODENAME=two@localhost RABBITMQ_DIST_PORT=25673 RABBITMQ_CONFIG_FILE=/etc/rabbitmq/two.conf
start_node
rabbitmqctl --quiet stop_app
rabbitmqctl --quiet join_cluster one@localhost
rabbitmqctl --quiet start_app

# heard PORT FILTER: what a late subscriber gets within 3 s.
heard() { mosquitto_sub -p "$1" -u guest -P guest -t "$2" -q 1 -W 3 2> /dev/null || true; }
mosquitto_pub -p 1883 -u guest -P guest -t court/state -m kept -q 1 -r
exact=$(heard 1883 court/state) wildcard=$(heard 1883 court/+) other=$(heard 1884 court/state)
heard 1884 court/state > /tmp/live &
sleep 1
mosquitto_pub -p 1883 -u guest -P guest -t court/state -m live -q 1
wait $!
live=$(cat /tmp/live)
echo "RabbitMQ $(rabbitmqctl --quiet version): exact topic: '$exact'; court/+: '$wildcard'"
echo "the other node: '$other'; while it listens: '$live'"
[[ $exact == kept && -z $wildcard && -z $other && $live == live ]]
END
