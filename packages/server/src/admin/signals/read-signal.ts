import { invalid } from '@burgee/kit/input/refusals'
import { toOneLine } from '@burgee/kit/one-line'
import type { Signal } from '@burgee/protocol/administration/signal-endpoint'

/** Firing alert. */
export interface FiringAlert {
  readonly name: string
  /** Flag and environment to which an alert is restricted. */
  readonly flag: string | undefined
  readonly environment: string | undefined
  readonly message: string
}

const MAX_MESSAGE_LENGTH = 500

/**
 * Returns those alerts of a signal that are currently firing. Throws ValidationError if the signal contains neither
 * alerts nor the name of an alert.
 */
export function readSignal({
  status = 'firing',
  alerts,
  rule,
  flag,
  environment,
  message = '',
}: Signal): FiringAlert[] {
  if (alerts === undefined) {
    if (rule === undefined) throw invalid('"alerts" or "rule" is required', 'body')
    return status === 'firing' ? [{ name: rule, flag, environment, message: shorten(message) }] : []
  }
  return alerts.flatMap(({ status: own = status, labels = {}, annotations = {} }) => {
    const name = labels.alertname
    if (name === undefined || own !== 'firing') return []
    const { burgee_flag, burgee_environment } = labels
    const text = annotations.summary ?? annotations.description ?? ''
    return [{ name, flag: burgee_flag, environment: burgee_environment, message: shorten(text) }]
  })
}

/** Returns the start of a message as one line in which all characters are visible. */
function shorten(text: string): string {
  return toOneLine(text.slice(0, MAX_MESSAGE_LENGTH))
}
