/** One thing that was promised, and what was measured. */
export interface Target {
  readonly what: string
  readonly wanted: string
  readonly measured: string
  readonly isMet: boolean
}

/** A target that is met when a number is at most, or at least, another. */
export function target(
  what: string,
  value: number,
  relation: '≤' | '≥',
  limit: number,
  describe: (value: number) => string = String,
): Target {
  const isMet = relation === '≤' ? value <= limit : value >= limit
  return { what, wanted: `${relation} ${describe(limit)}`, measured: describe(value), isMet }
}

/** All targets in Markdown, the missed ones marked. */
export function targetTable(targets: readonly Target[]): string {
  const lines = targets.map(
    ({ what, wanted, measured, isMet }) => `| ${what} | ${wanted} | ${measured} | ${isMet ? 'yes' : '**no**'} |`,
  )
  return ['| What | Target | Measured | Met |', '|---|---:|---:|---|', ...lines].join('\n')
}
