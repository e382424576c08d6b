/** Returns a function that makes a value once, and again if that has failed. */
export function once<T>(make: () => T | Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= Promise.resolve()
      .then(make)
      .catch((error) => {
        made = undefined
        throw error
      })
    return made
  }
}
