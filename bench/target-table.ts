/** Target and its measured value. */
export interface Target {
  readonly what: string
  readonly wanted: string
  readonly measured: string
  readonly isMet: boolean
}

/** Creates a target that is met if a value is at most, or at least, a limit. */
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

/** Formats all targets in Markdown and marks missed ones. */
export function targetTable(targets: readonly Target[]): string {
  const lines = targets.map(
    ({ what, wanted, measured, isMet }) => `| ${what} | ${wanted} | ${measured} | ${isMet ? 'yes' : '**no**'} |`,
  )
  return ['| What | Target | Measured | Met |', '|---|---:|---:|---|', ...lines].join('\n')
}
