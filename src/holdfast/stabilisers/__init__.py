"""What makes selection more stable: ensembles over samples, and groups of correlated features.

The third known remedy, the elastic net, is scikit-learn's own. Where the lasso takes one of several
correlated features, its added squared penalty takes them together. As a selector, in a study or
inside an ensemble:

>>> from sklearn.datasets import load_breast_cancer
>>> from sklearn.feature_selection import SelectFromModel
>>> from sklearn.linear_model import ElasticNet
>>> from sklearn.pipeline import make_pipeline
>>> from sklearn.preprocessing import StandardScaler
>>> X, y = load_breast_cancer(return_X_y=True)
>>> def chosen(l1_ratio):
...     net = SelectFromModel(ElasticNet(alpha=0.1, l1_ratio=l1_ratio), threshold=1e-6)
...     return int(make_pipeline(StandardScaler(), net).fit(X, y)[-1].get_support().sum())
>>> chosen(1.0), chosen(0.3)
(4, 12)
"""

from holdfast.stabilisers.ensemble import EnsembleSelector
from holdfast.stabilisers.groups import GroupSelector

__all__ = ["EnsembleSelector", "GroupSelector"]
