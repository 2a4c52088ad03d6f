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
from bristlecone.certify.held_out import holdout
from bristlecone.certify.kl import kl, kl_inverse
from bristlecone.certify.labelled import LabelledTree, weigh_cells
from bristlecone.certify.losses import Beyond, Brier, ErrorOfClass, LossMatrix
from bristlecone.certify.priors import Prior, by_leaves, by_losses, helmbold_schapire
from bristlecone.certify.vote import VoteBounds, majority_vote_bounds
from bristlecone.certify.weighed import Drawn, WeighedTree
from bristlecone.certify.weighing import informed_priors, weigh

__all__ = [
    "Beyond",
    "Brier",
    "Certificate",
    "Drawn",
    "ErrorOfClass",
    "LabelledTree",
    "LossMatrix",
    "Prior",
    "VoteBounds",
    "WeighedTree",
    "best_lambda",
    "by_leaves",
    "by_losses",
    "drawn_bound",
    "gibbs_bound",
    "helmbold_schapire",
    "holdout",
    "holdout_bound",
    "informed_priors",
    "kl",
    "kl_inverse",
    "lambda_bound",
    "least",
    "majority_vote_bounds",
    "mean_loss_bound",
    "pruning_bound",
    "weigh",
    "weigh_cells",
]
