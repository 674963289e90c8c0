import { groupedNumber } from './grouped-number.ts'

const write = (count: number, language: 'en' | 'de'): string => groupedNumber(count, language) ?? String(count)

/** Counted nouns for sentences. German projects and tokens are in the dative. */
export const COUNTS = {
  en: {
    flags: (count: number): string => (count === 1 ? '1 flag' : `${write(count, 'en')} flags`),
    projects: (count: number): string => (count === 1 ? '1 project' : `${write(count, 'en')} projects`),
    tokens: (count: number): string => (count === 1 ? '1 API token' : `${write(count, 'en')} API tokens`),
  },
  de: {
    flags: (count: number): string => `${write(count, 'de')} Schalter`,
    flagsDative: (count: number): string => (count === 1 ? '1 Schalter' : `${write(count, 'de')} Schaltern`),
    projects: (count: number): string => (count === 1 ? '1 Projekt' : `${write(count, 'de')} Projekten`),
    tokens: (count: number): string => (count === 1 ? '1 API-Token' : `${write(count, 'de')} API-Tokens`),
  },
} as const
