import { createContext, use, useEffect, useState } from 'react'

const Context = createContext(false)

/** Tells fields that the form was to be sent, and cannot be as it is. */
export const TriedProvider = Context.Provider

/** Whether the form was to be sent before it was ready: what is missing says so from then on. */
export const useTried = (): boolean => use(Context)

/** Notes tries to send a form that is not ready; each leads to the first field that is not right. */
export function useTries(form: React.RefObject<HTMLFormElement | null>) {
  const [count, setCount] = useState(0)
  useEffect(() => {
    if (count > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [count, form])
  return { hasTried: count > 0, note: () => setCount(count + 1) }
}
