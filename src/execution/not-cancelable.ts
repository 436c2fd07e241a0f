/** ORDER_NOT_SUPPORT_CANCELLATION: the order is in a state that cannot be canceled, hence over. */
export const NOT_CANCELABLE = -1145
