import { useFormat } from '../text/texts.tsx'

/** Number of significant digits for values below 100. */
const DIGITS = 3
const WHOLE_FROM = 100

/**
 * Returns a function that formats a value with at most three significant digits, or as a whole number from 100 upward.
 */
export function useFormatValue(): (value: number) => string {
  const { number } = useFormat()
  return (value) => number(Math.abs(value) >= WHOLE_FROM ? Math.round(value) : Number(value.toPrecision(DIGITS)))
}
