"""Order points into a cheap path: deletion, adaptive grid, tours. Knows points and costs, and no model."""
