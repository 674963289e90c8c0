/** Parts of a flag's page. */
export const TABS = ['environments', 'history', 'usage', 'code'] as const
export type Tab = (typeof TABS)[number]

/** What the address of a flag's page says. */
export interface FlagPageSearch {
  readonly tab?: Tab
  /** Environment in which something is edited. */
  readonly env?: string
  /** Id of the strategy that is edited; `new` for one to come. */
  readonly strategy?: string
  /** The variants of `env` are edited. */
  readonly variants?: boolean
  /** Usage of so many hours back, and of one application. */
  readonly hours?: number
  readonly app?: string
}

/** Reads the address; what is not understood is left out. */
export function readFlagPageSearch(given: Record<string, unknown>): FlagPageSearch {
  const tab = TABS.find((one) => one === given.tab)
  return {
    ...(tab === undefined ? {} : { tab }),
    ...(typeof given.env === 'string' ? { env: given.env } : {}),
    ...(typeof given.strategy === 'string' ? { strategy: given.strategy } : {}),
    ...(given.variants === true ? { variants: true } : {}),
    ...(typeof given.hours === 'number' && given.hours > 0 ? { hours: given.hours } : {}),
    ...(typeof given.app === 'string' && given.app !== '' ? { app: given.app } : {}),
  }
}
