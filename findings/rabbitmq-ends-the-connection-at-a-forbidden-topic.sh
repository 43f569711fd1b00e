#!/usr/bin/env bash
#
# RabbitMQ 4.0.5's plugin for MQTT (Debian 13) ends the connection of a client, with MQTT 5, too, that names a topic which
# its user may not use:
#
# 1. SUBSCRIBE to an allowed and a forbidden topic: SUBACK grants the one, says "not authorized" (135) for the other, and
#    then the connection ends.
# 2. PUBLISH with QoS 1 to a forbidden topic: no PUBACK, and the connection ends.
#
# A good guess: as MQTT 5 has it, SUBACK (3.9.3) and PUBACK (3.4.2) say so for that topic, and the connection goes on.
# mosquitto does that.
#
# It matters to us because a court's box also uses topics that are a convenience, such as its device in Home Assistant:
# where its user may not, the court would come and go for ever, and a stop would not reach it.
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
rabbitmqctl --quiet add_user court secret
rabbitmqctl --quiet set_permissions court '.*' '.*' '.*'
rabbitmqctl --quiet set_topic_permissions court amq.topic '^own[.]' '^own[.]'

as_court=(-V 5 -u court -P secret -q 1 -d)
# listens TOPIC...: how often a client connects that listens for 5 s, and again whenever its connection ends.
listens() {
  local topic topics=()
  for topic; do topics+=(-t "$topic"); done
  mosquitto_sub "${as_court[@]}" "${topics[@]}" -W 5 > /tmp/said 2>&1 || true
  grep -c 'received CONNACK' /tmp/said
}
# publishes TOPIC: how often the broker answers.
publishes() {
  mosquitto_pub "${as_court[@]}" -t "$1" -m text > /tmp/said 2>&1 || true
  grep -c 'received PUBACK' /tmp/said || true
}
own=$(listens own/stop) both=$(listens own/stop other/status)
echo "RabbitMQ $(rabbitmqctl --quiet version): connections in 5 s: listening to its own topic $own, to another one beside it $both"
own_answers=$(publishes own/state) other_answers=$(publishes other/device)
echo "answers to a message: on its own topic $own_answers, on another one $other_answers"
((own == 1 && both > 1 && own_answers == 1 && other_answers == 0))
END
