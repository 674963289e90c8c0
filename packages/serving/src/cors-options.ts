import type { OptionTable } from '@burgee/kit/options/options'
import { flag, inHeader, integer, list, text, textOrEmpty } from '@burgee/kit/options/parsers'

/** Options of CORS. Source: spec "Proxy configuration options". */
export const CORS_OPTIONS = {
  'cors.allowedHeaders': {
    env: ['CORS_ALLOWED_HEADERS'],
    parse: inHeader(list),
    defaultDoc: 'the requested headers',
    doc: 'Request headers that web pages may send.',
  },
  'cors.credentials': { env: ['CORS_CREDENTIALS'], parse: flag, default: false, doc: 'Allow credentials.' },
  'cors.exposedHeaders': {
    env: ['CORS_EXPOSED_HEADERS'],
    parse: inHeader(textOrEmpty),
    default: 'ETag',
    doc: 'Response headers that web pages may read.',
  },
  'cors.maxAge': {
    env: ['CORS_MAX_AGE'],
    parse: integer(0),
    default: 172_800,
    unit: 's',
    doc: 'Time that browsers may cache a preflight response.',
  },
  'cors.methods': {
    env: ['CORS_METHODS'],
    parse: inHeader(text),
    default: 'GET, POST',
    doc: 'Methods that web pages may use.',
  },
  'cors.optionsSuccessStatus': {
    env: ['CORS_OPTIONS_SUCCESS_STATUS'],
    parse: integer(200, 299),
    default: 204,
    doc: 'Status of a successful preflight response.',
  },
  'cors.origin': {
    env: ['CORS_ORIGIN'],
    parse: inHeader(list),
    default: ['*'],
    doc: 'Allowed origins, comma-separated, or *.',
  },
  'cors.preflightContinue': {
    env: ['CORS_PREFLIGHT_CONTINUE'],
    parse: flag,
    default: false,
    doc: 'Pass OPTIONS requests on to the routes instead of answering them.',
  },
} as const satisfies OptionTable
