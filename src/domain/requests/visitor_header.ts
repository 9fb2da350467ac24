/** The header with which the site on another host sends its visitor's IP address: `<address> <signature>`. */
export const VISITOR_HEADER = 'X-Visitor-Address';
