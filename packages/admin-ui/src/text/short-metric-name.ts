const TYPE_PREFIX = /^unleash_(counter|gauge|histogram)_/

/** Returns the name of an impact metric without its type: `errors` for `unleash_counter_errors`. */
export const shortenMetricName = (name: string): string => name.replace(TYPE_PREFIX, '')
