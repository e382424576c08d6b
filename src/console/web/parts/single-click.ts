/** Leaves out the second click of a double click: what the first one has pressed may be gone, and another one in its place. */
export function single(press: () => void): (event: MouseEvent) => void {
  return ({ detail }) => {
    if (detail < 2) press()
  }
}
