"""Answer the messages of a Kafka topic, learn their labels when they come, and go on where it was after any stop.

    pip install littlestone confluent-kafka
    python examples/kafka_topic.py model.npz requests answers --brokers localhost:9092

A message is a line as the model's file had them, or an object of JSON; a label that comes later is
{"id": ..., "label": ...} in the same topic. The offsets of all partitions are saved in the model's file, with all that
was learned, and the broker is only told of them: so each message is learned exactly once, and each answer is sent at
least once.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from typing import Any

from confluent_kafka import Consumer, KafkaException, Producer, TopicPartition

import littlestone as ls
from littlestone.models.following import Answer, At, Notice, Saved, last_mark


def messages(consumer: Any, topic: str, offsets: dict[str, int], over: Callable[[], bool]) -> Iterator[Any]:
    """Yield the messages of a topic from some offsets on, and nothing where none come for half a second."""
    partitions = consumer.list_topics(topic, timeout=10.0).topics[topic].partitions
    consumer.assign([TopicPartition(topic, one, offsets.get(str(one), 0)) for one in partitions])
    offsets = dict(offsets)
    while not over():
        some = []
        for message in consumer.consume(1000, timeout=0.5):
            if message.error() is not None:
                raise KafkaException(message.error())
            offsets[str(message.partition())] = message.offset() + 1
            some.append(At(dict(offsets), message.value()))
        yield some or None


def follow(
    model: str, brokers: str, requests: str, answers: str, *, over: Callable[[], bool] = lambda: False, **options: Any
) -> None:
    """Send an answer for each message of ``requests`` to ``answers``, until it is ``over``."""
    consumer = Consumer({"bootstrap.servers": brokers, "group.id": "littlestone", "enable.auto.commit": False})
    producer = Producer({"bootstrap.servers": brokers})
    try:
        for event in ls.follow(model, messages(consumer, requests, last_mark(model) or {}, over), **options):
            if isinstance(event, Answer):
                producer.produce(answers, json.dumps(event.as_dict()).encode())
                producer.poll(0)
            elif isinstance(event, Saved) and event.mark:
                offsets = [TopicPartition(requests, int(one), at) for one, at in event.mark.items()]
                consumer.commit(offsets=offsets, asynchronous=True)  # for those who watch the group
            elif isinstance(event, Notice):
                print(event)
    finally:
        producer.flush()
        consumer.close()


def main() -> None:
    """Follow until somebody stops it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("requests")
    parser.add_argument("answers")
    parser.add_argument("--brokers", default="localhost:9092")
    options = parser.parse_args()
    follow(options.model, options.brokers, options.requests, options.answers)


if __name__ == "__main__":
    main()
