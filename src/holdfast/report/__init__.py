"""From numbers to what one looks at: tables, charts, pages."""
