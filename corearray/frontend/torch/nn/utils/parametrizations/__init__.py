"""torch.nn.utils.parametrizations: orthogonal weights, weights as direction and length, and weights of spectral norm one."""

from corearray.frontend.torch.nn.utils.parametrizations.norms import spectral_norm, weight_norm
from corearray.frontend.torch.nn.utils.parametrizations.orthogonal import orthogonal

__all__ = ["orthogonal", "spectral_norm", "weight_norm"]
