export const limitDefault = 50
export const limitMax = 100
