"""What only sockets show: slow clients, endless headers, bodies that do not end, many connections."""

import socket
import time
from contextlib import contextmanager, suppress

import pytest

from littlestone.service.http.app import create_app
from littlestone.service.http.limits import Limits
from littlestone.service.http.logs import Log

from .conftest import FakeDesk, Sink, serving

LIMITS = Limits(header_time=0.4, body_time=0.4, read_time=0.6, headers=4096, connections=20, body=200_000)
HEAD = b"POST /v1/models/mail/predict HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
GET = b"GET /v1/health/live HTTP/1.1\r\nHost: localhost\r\n\r\n"


@pytest.fixture(scope="module")
def served():
    desk = FakeDesk()
    with serving(create_app(desk, limits=LIMITS, log=Log(Sink())), LIMITS) as port:
        yield port, desk


@pytest.fixture
def port(served):
    return served[0]


@pytest.fixture
def desk(served):
    served[1].seen.clear()
    return served[1]


@contextmanager
def connected(port):
    with socket.create_connection(("127.0.0.1", port), timeout=5) as found:
        yield found


def rest(connection):
    """All that comes until the other end closes."""
    found = b""
    try:
        while piece := connection.recv(1 << 16):
            found += piece
    except ConnectionError:
        pass
    return found


def drip(connection, data, seconds=0.05):
    """Send a byte at a time until the other end closes; return what it said, and after how long."""
    begun = time.monotonic()
    connection.setblocking(False)
    for byte in data:
        try:
            connection.send(bytes([byte]))
        except (ConnectionError, BlockingIOError):
            break
        time.sleep(seconds)
        try:
            if connection.recv(1, socket.MSG_PEEK) is not None:
                break
        except BlockingIOError:
            pass
        except ConnectionError:
            break
    connection.settimeout(5)
    return rest(connection), time.monotonic() - begun


def knock(connection, until):
    """Send a byte from time to time."""
    while time.monotonic() < until:
        connection.send(b"G")
        time.sleep(0.05)


def status(answer):
    return int(answer.split(b" ", 2)[1])


def test_slow_headers_are_cut_off(port):
    with connected(port) as connection:
        said, seconds = drip(connection, HEAD)
    assert status(said) == 408 and seconds < 2


def test_who_says_nothing_is_cut_off(port):
    for first in (b"", GET):
        with connected(port) as connection:
            connection.sendall(first)
            begun = time.monotonic()
            if first:
                assert b'"live"' in connection.recv(1 << 16)
                connection.sendall(b"\r\n\r\n")
                said, _ = drip(connection, b"\r\n" * 100)
            else:
                said = rest(connection)
            assert said == b"" and time.monotonic() - begun < 2


def test_a_slow_body_is_cut_off(port):
    for length in (b"Content-Length: 1000\r\n\r\n", b"Transfer-Encoding: chunked\r\n\r\n"):
        with connected(port) as connection:
            connection.sendall(HEAD + length)
            said, seconds = drip(connection, b"1\r\n{\r\n" * 100 if b"chunked" in length else b"{" + b" " * 999)
        assert status(said) == 408 and seconds < 2


def test_the_next_request_of_a_connection_may_not_be_slow_either(port):
    with connected(port) as connection:
        connection.sendall(GET + HEAD[:20])
        assert b'"live"' in connection.recv(1 << 16)
        said, seconds = drip(connection, HEAD[20:])
    assert (said == b"" or status(said) == 408) and seconds < 2


def test_endless_headers(port):
    for endless in (b"X-A: 1\r\n" * 2000, b"X: " + b"a" * 20_000):
        with connected(port) as connection:
            connection.sendall(HEAD)
            time.sleep(0.05)
            try:
                for start in range(0, len(endless), 1000):
                    connection.sendall(endless[start : start + 1000])
                    time.sleep(0.002)
            except ConnectionError:
                pass
            said = rest(connection)
        assert not said or status(said) == 431
    with connected(port) as connection:
        connection.sendall(b"GET /" + b"a" * 10_000 + b" HTTP/1.1\r\n\r\n")
        said = rest(connection)
        assert status(said) == 431 and b"problem+json" in said and b"4,096 bytes" in said


@pytest.mark.parametrize("raw", [
    b"nonsense\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00\x01", b"GET  HTTP/1.1\r\n\r\n",
    HEAD + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\n{}", HEAD + b"Content-Length: -5\r\n\r\n",
    HEAD + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
    HEAD + b"Transfer-Encoding: chunked\r\n\r\nZ\r\n",
    b"GET /\xff\xfe HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"OPTIONS * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
])  # fmt: skip
def test_what_is_no_http(port, raw):
    with connected(port) as connection:
        connection.sendall(raw)
        said = rest(connection)
    assert status(said) in (400, 404, 405, 408), said
    assert b"application/problem+json" in said
    with connected(port) as connection:
        connection.sendall(GET)
        assert b'"live"' in connection.recv(1 << 16)


def test_a_body_that_is_too_large_is_not_read(port, desk):
    with connected(port) as connection:
        connection.sendall(HEAD + b"Content-Length: 99999999999\r\n\r\n")
        said = rest(connection)
    assert status(said) == 413 and b"connection: close" in said
    with connected(port) as connection:
        connection.sendall(HEAD + b"Transfer-Encoding: chunked\r\n\r\n")
        sent = 0
        try:
            while sent < 100_000_000:
                sent += connection.send(b"10000\r\n" + b" " * 65536 + b"\r\n")
        except ConnectionError:
            pass
        assert sent < 60_000_000
    assert desk.seen == []


def test_who_sends_all_before_it_reads_sees_why_it_was_refused(port):
    for kind, expected in ((b"Content-Type: application/json\r\n", 413), (b"Content-Type: text/plain\r\n", 415)):
        with connected(port) as connection:
            head = b"POST /v1/models/mail/predict HTTP/1.1\r\nHost: localhost\r\n" + kind
            connection.sendall(head + b"Content-Length: 5000000\r\n\r\n" + b" " * 5_000_000)
            assert status(rest(connection)) == expected


def test_a_client_that_does_not_wait_for_leave(port):
    with connected(port) as connection:
        connection.sendall(HEAD + b"Expect: 100-continue\r\nContent-Length: 14\r\n\r\n")
        assert connection.recv(1 << 16).startswith(b"HTTP/1.1 100")
        connection.sendall(b'{"row": "abc"}')
        assert b'"ham"' in connection.recv(1 << 16)


def test_what_comes_behind_a_body_in_pieces_is_no_header(port):
    with connected(port) as connection:
        body = b'Transfer-Encoding: chunked\r\n\r\ne\r\n{"row": "abc"}\r\n0\r\n'
        connection.sendall(HEAD + body + b"Host: evil.example\r\nX-Forwarded-For: 1.2.3.4\r\n\r\n" + GET)
        time.sleep(0.1)
        said = connection.recv(1 << 16)
        assert status(said) == 200 and b'"ham"' in said and b'"live"' in said
        connection.sendall(HEAD + body)
        with suppress(ConnectionError):
            connection.sendall(b"X-A: 1\r\n" * 2000)
        assert b"X-A" not in rest(connection)


def test_who_sends_no_more_gets_its_answer(port, desk):
    one = HEAD + b'Content-Length: 14\r\n\r\n{"row": "abc"}'
    desk.wait = 0.1
    try:
        for sent, answers in ((one, 1), (one * 3, 3), (one + HEAD, 1), (one + HEAD + b"Content-Length: 9\r\n\r\n{", 1)):
            with connected(port) as connection:
                connection.sendall(sent)
                connection.shutdown(socket.SHUT_WR)
                assert rest(connection).count(b'"ham"') == answers
    finally:
        desk.wait = 0.0


def test_a_body_that_ends_too_soon(port, desk):
    with connected(port) as connection:
        connection.sendall(HEAD + b"Content-Length: 100\r\n\r\n{")
    time.sleep(0.1)
    assert desk.seen == []


def test_who_does_not_read_is_cut_off(port):
    with connected(port) as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.sendall(b"GET /v1/models/mail/file HTTP/1.1\r\nHost: localhost\r\n\r\n" * 20)
        begun = time.monotonic()
        with pytest.raises(ConnectionError):
            knock(connection, begun + 4)


def test_too_many_connections(port):
    many = [socket.create_connection(("127.0.0.1", port), timeout=5) for _ in range(25)]
    time.sleep(0.1)
    try:
        said = rest(many[-1])
        assert status(said) == 503 and b"expected at most 20 connections" in said
        many[0].sendall(GET)
        assert b'"live"' in many[0].recv(1 << 16)
    finally:
        for one in many:
            one.close()


def test_pipelined_requests_are_answered_in_order(port):
    with connected(port) as connection:
        one = HEAD + b'Content-Length: 12\r\n\r\n{"row": "a"}' + GET
        connection.sendall(one * 5 + GET.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
        said = rest(connection)
    assert said.count(b"HTTP/1.1 200") == 11 and said.count(b'"ham"') == 5
