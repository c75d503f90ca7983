"""A service of river and FastAPI as their users write it: uvicorn service_river:app (see service.py)."""

from fastapi import FastAPI
from pydantic import BaseModel
from river import linear_model, preprocessing


class Question(BaseModel):
    """What is asked."""

    x: dict[str, float]


class Example(Question):
    """What is learned."""

    y: bool


class Examples(BaseModel):
    """Many of them."""

    examples: list[Example]


class Answer(BaseModel):
    """What was predicted, before it was learned."""

    prediction: bool
    probability: float


class Answers(BaseModel):
    """The same of many."""

    predictions: list[bool]


app = FastAPI()
model = preprocessing.StandardScaler() | linear_model.LogisticRegression()


@app.post("/predict")
async def predict(question: Question) -> Answer:
    """Predict."""
    chance = model.predict_proba_one(question.x).get(True, 0.0)
    return Answer(prediction=chance > 0.5, probability=chance)


@app.post("/learn")
async def learn(example: Example) -> Answer:
    """Predict, then learn."""
    chance = model.predict_proba_one(example.x).get(True, 0.0)
    model.learn_one(example.x, example.y)
    return Answer(prediction=chance > 0.5, probability=chance)


@app.post("/learn_many")
async def learn_many(examples: Examples) -> Answers:
    """Predict and learn one after another."""
    said = []
    for one in examples.examples:
        said.append(bool(model.predict_one(one.x)))
        model.learn_one(one.x, one.y)
    return Answers(predictions=said)
