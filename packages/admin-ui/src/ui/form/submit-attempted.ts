import { createContext, use, useEffect, useState } from 'react'

const Context = createContext(false)

/** Provides the information that a submit was attempted while the form was invalid. */
export const SubmitAttemptedProvider = Context.Provider

/** Returns true after a submit attempt with an invalid form. After such an attempt, fields report missing values. */
export const useSubmitAttempted = (): boolean => use(Context)

/** Selector of invalid fields. Editors that are not input elements have an attribute for this purpose. */
const INVALID_FIELD = '[aria-invalid="true"], [data-invalid-editor]'

/** Records submit attempts with an invalid form. Each submit attempt focuses the first invalid field. */
export function useSubmitAttempts(form: React.RefObject<HTMLFormElement | null>) {
  const [count, setCount] = useState(0)
  useEffect(() => {
    if (count > 0) form.current?.querySelector<HTMLElement>(INVALID_FIELD)?.focus()
  }, [count, form])
  return { hasTried: count > 0, note: () => setCount(count + 1) }
}
