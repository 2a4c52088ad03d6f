"""Bounds on errors to come, and the certificates that say them. Floor 4 of the house."""

from bristlecone.certify.bounds import (
    best_lambda,
    drawn_bound,
    gibbs_bound,
    holdout_bound,
    lambda_bound,
    mean_loss_bound,
    pruning_bound,
)
from bristlecone.certify.certificate import Certificate, least
from bristlecone.certify.kl import kl, kl_inverse
from bristlecone.certify.vote import VoteBounds, majority_vote_bounds

__all__ = [
    "Certificate",
    "VoteBounds",
    "best_lambda",
    "drawn_bound",
    "gibbs_bound",
    "holdout_bound",
    "kl",
    "kl_inverse",
    "lambda_bound",
    "least",
    "majority_vote_bounds",
    "mean_loss_bound",
    "pruning_bound",
]
