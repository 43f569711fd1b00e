# RabbitMQ 4.0.5 of Debian 13 with MQTT, in a system of its own. To be sourced.
# shellcheck shell=bash
#
# shellcheck source=findings/debian-system.bash
source "$(dirname "${BASH_SOURCE[0]}")/debian-system.bash"

# make_rabbitmq: the system, whose /rabbitmq.bash starts a node; start_node starts one more, as RABBITMQ_NODENAME says.
make_rabbitmq() {
  make_system trixie rabbitmq-server,mosquitto-clients,iproute2
  cat > "$folder/system/rabbitmq.bash" << 'END'
rabbitmq-plugins --offline enable rabbitmq_mqtt > /dev/null
start_node() {
  rabbitmq-server -detached 2> /dev/null
  for _ in {1..60}; do rabbitmqctl --quiet await_startup 2> /dev/null && break; sleep 1; done
}
export RABBITMQ_NODENAME=one@localhost
start_node
END
}
