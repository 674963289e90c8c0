import { createContext, use, useEffect, useState } from 'react'

const Context = createContext(false)

/** Provides the information whether the user has tried to submit the form while it was invalid. */
export const SubmitAttemptedProvider = Context.Provider

/** Returns true once the user has tried to submit an invalid form. From then on, fields report missing values. */
export const useSubmitAttempted = (): boolean => use(Context)

/**
 * CSS selector for invalid fields. Editors that are not input elements mark themselves as invalid with an attribute.
 */
const INVALID_FIELD = '[aria-invalid="true"], [data-invalid-editor]'

/** Records attempts to submit an invalid form. Each of these attempts focuses the first invalid field. */
export function useSubmitAttempts(form: React.RefObject<HTMLFormElement | null>) {
  const [count, setCount] = useState(0)
  useEffect(() => {
    if (count > 0) form.current?.querySelector<HTMLElement>(INVALID_FIELD)?.focus()
  }, [count, form])
  return { hasTried: count > 0, note: () => setCount(count + 1) }
}
