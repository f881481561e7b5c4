"""Bootstrap samples and complementary halves, one example after another."""

from numpy.random import RandomState


def bootstrap(labels, n_samples, seed):
    random = RandomState(seed)
    classes = sorted(set(labels))
    members = {c: [i for i, label in enumerate(labels) if label == c] for c in classes}
    found = []
    while len(found) < n_samples:
        train = []
        for c in classes:
            places = random.randint(0, len(members[c]), size=len(members[c]))
            train += [members[c][place] for place in places]
        test = [i for i in range(len(labels)) if i not in train]
        if test:
            found.append((sorted(train), test))
    return found


def complementary_pairs(labels, n_pairs, seed):
    random = RandomState(seed)
    found = []
    for _ in range(n_pairs):
        halves = [], []
        for number, c in enumerate(sorted(set(labels))):
            members = [i for i, label in enumerate(labels) if label == c]
            random.shuffle(members)
            # Even sizes halve; of odd ones the first half is smaller, then larger, in turn.
            larger = len(members) % 2 == 1 and number % 2 == 1
            middle = len(members) // 2 + (1 if larger else 0)
            halves[0].extend(members[:middle])
            halves[1].extend(members[middle:])
        one, other = sorted(halves[0]), sorted(halves[1])
        found += [(one, other), (other, one)]
    return found
