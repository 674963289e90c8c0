/**
 * Returns a class whose objects have no prototype but are as fast as those with one. Use a separate class for each kind
 * of names, because objects of one class share the engine's type feedback.
 */
export function createRecordClass<T>(): new () => Record<string, T> {
  const Names = class {} as new () => Record<string, T>
  Object.setPrototypeOf(Names.prototype, null)
  Reflect.deleteProperty(Names.prototype, 'constructor')
  return Names
}
