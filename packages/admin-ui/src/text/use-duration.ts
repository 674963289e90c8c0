import { useLanguage } from './texts.tsx'

const UNITS = [
  ['day', 1440],
  ['hour', 60],
  ['minute', 1],
] as const

/** Returns a function that formats a duration in minutes with at most two units, such as "1 day 2 hours". */
export function useDuration(): (minutes: number) => string {
  const { language } = useLanguage()
  return (minutes) => formatDuration(minutes, language)
}

function formatDuration(minutes: number, language: string): string {
  let rest = Math.max(0, Math.round(minutes))
  const parts: string[] = []
  for (const [unit, size] of UNITS) {
    const count = Math.floor(rest / size)
    rest -= count * size
    if (count > 0)
      parts.push(new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(count))
  }
  if (parts.length > 0) return parts.slice(0, 2).join(' ')
  return new Intl.NumberFormat(language, { style: 'unit', unit: 'minute', unitDisplay: 'long' }).format(0)
}
