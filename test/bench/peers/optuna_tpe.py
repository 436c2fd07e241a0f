"""Optuna: one question of its TPE sampler after 1,000 trials of three parameters, and a search of 1,000 trials of nothing."""

import json
import random
import statistics
import time
from importlib.metadata import version

import optuna

TRIALS, ASKS = 1000, 51
SPACE = {
    "fast": optuna.distributions.IntDistribution(2, 100),
    "slow": optuna.distributions.IntDistribution(100, 600),
    "share": optuna.distributions.FloatDistribution(0, 1),
}


def known(draw: random.Random) -> optuna.trial.FrozenTrial:
    point = {"fast": draw.randint(2, 100), "slow": draw.randint(100, 600), "share": draw.random()}
    return optuna.trial.create_trial(params=point, distributions=SPACE, value=draw.random())


def asked_ms() -> float:
    draw = random.Random(1)
    study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=1))
    study.add_trials([known(draw) for _ in range(TRIALS)])
    times = []
    for _ in range(ASKS):
        before = time.process_time()
        study.ask(SPACE)
        times.append(time.process_time() - before)
    return 1000 * statistics.median(times)


def search_seconds() -> float:
    study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=1))
    before = time.process_time()
    for _ in range(TRIALS):
        study.tell(study.ask(SPACE), 0.5)
    return time.process_time() - before


optuna.logging.set_verbosity(optuna.logging.WARNING)
print(json.dumps({"version": version("optuna"), "askMs": asked_ms(), "searchSeconds": search_seconds()}))
