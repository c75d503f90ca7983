"""The sentences that made-up messages are made of: what spam says, what friends say, and what both say."""

from __future__ import annotations

__all__ = ["HAM", "SHARED", "SPAM", "WORDS"]

# A word in braces is one of its list below; a 0 becomes a digit at random.

SPAM = (
    "you have been chosen for {prize}, claim it {soon}",
    "win {prize} {soon}, just send {code} to 00000",
    "free {goods} for the next 000 callers, dial 0000 000000",
    "your account at {company} is on hold, confirm your details {soon}",
    "last chance: {goods} at half the price, only {when}",
    "reply {code} to get {money} without any fee",
    "we tried to reach you about {prize}, call 0000 000000",
    "your number was drawn, {money} is waiting, code {code}",
    "hot offer from {company}: {goods} for 0 pounds, text {code}",
    "cheap loans up to {money}, no questions, answer {soon}",
    "unlimited {goods} free for a month, stop any time by sending {code}",
    "this is your second notice about {money}, act {soon}",
    "exclusive for you: {prize} if you order {goods} {when}",
    "play and win {money} every day, only 0.00 per game, text {code} to 00000",
    "a secret admirer wants to meet you, find out who by calling 0000 000000",
)
HAM = (
    "are you free {when} or is it too late for you",
    "can you call me when you are at {place}",
    "we won the game {when}, you should have been there",
    "{name} cannot come {when}, shall we go to {place} without",
    "i left the {things} at {place}, could you bring them",
    "is the {meal} still on for {when}",
    "sorry i was asleep, tell {name} i will be there at 0",
    "my account is empty again, can you lend me 00 until friday",
    "the train is late, start the {meal} without me",
    "did you get the {things} i sent to {name}",
    "happy birthday {name}, let us have {meal} {when}",
    "meeting moved to {place} at 00, please tell {name}",
    "mum asks whether you need anything from {place}",
    "the doctor says it is only a cold, back at work {when}",
    "i have no signal at {place}, text me instead of calling",
    "your prize for cooking {meal} is that i do the dishes",
    "i will order {meal} and you pay next time, ok",
)
SHARED = (
    "please call me back {soon}",
    "did you see my last message",
    "the code is {code}",
    "only {when} left to decide",
    "tickets for {place} are nearly gone",
    "it is free, so do not miss it",
    "your order of {goods} has arrived",
    "answer {soon} so that i can book it",
    "{name} says the offer is still open",
    "you can reach me on 0000 000000",
    "thanks for your message, more {when}",
    "do you want {goods} or not",
)
WORDS = {
    "opening": (
        "",
        "",
        "",
        "hi",
        "hello {name},",
        "hey {name}",
        "dear {name},",
        "dear friend,",
        "ok so",
        "good news!",
        "reminder:",
    ),
    "closing": ("", "", "", "", "thanks", "see you", "bye", "xx", "cheers {name}", "best wishes", "do not wait!"),
    "name": ("Ada", "Ben", "Cleo", "Dan", "Ewa", "Finn", "Greta", "Hugo", "Ines", "Jon", "Kim", "Lena"),
    "prize": ("a holiday for two", "a new phone", "a bag of gold coins", "a free weekend", "a car", "our top prize"),
    "money": ("500 pounds", "1000 euro", "2,500 dollars", "a cash bonus", "a refund of 00 pounds"),
    "goods": ("ringtones", "shoes", "phone cases", "tickets", "movies", "watches", "minutes", "photos"),
    "company": ("Blue Bank", "Mobilo", "Parcel Ten", "the lottery office", "Star Credit"),
    "code": ("WIN00", "YES", "GO000", "FREE0", "BOX00"),
    "soon": ("now", "today", "within 24 hours", "as soon as you can", "before midnight", "this week"),
    "when": ("tonight", "tomorrow", "on sunday", "this weekend", "after work", "at 0", "today"),
    "place": ("the station", "the cinema", "Ewa's place", "the library", "the pool", "the office", "the market"),
    "things": ("keys", "photos", "books", "tickets", "papers", "shoes"),
    "meal": ("lunch", "dinner", "pizza", "breakfast", "soup", "coffee"),
}
