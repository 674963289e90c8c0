/** So many of something, for sentences; German in the dative where projects and tokens are counted. */
export const COUNTS = {
  en: {
    flags: (count: number): string => (count === 1 ? '1 flag' : `${count} flags`),
    projects: (count: number): string => (count === 1 ? '1 project' : `${count} projects`),
    tokens: (count: number): string => (count === 1 ? '1 API token' : `${count} API tokens`),
  },
  de: {
    flags: (count: number): string => `${count} Schalter`,
    flagsDative: (count: number): string => (count === 1 ? '1 Schalter' : `${count} Schaltern`),
    projects: (count: number): string => (count === 1 ? '1 Projekt' : `${count} Projekten`),
    tokens: (count: number): string => (count === 1 ? '1 API-Token' : `${count} API-Tokens`),
  },
} as const
