/**
 * Whether two texts are equal. The duration depends only on their lengths, so that it reveals nothing about a secret.
 */
export const equalInConstantTime = (left: string, right: string): boolean => {
  let difference = left.length ^ right.length
  for (let at = 0; at < left.length; at++) difference |= left.charCodeAt(at) ^ (right.charCodeAt(at) || 0)
  return difference === 0
}
