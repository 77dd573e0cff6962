struct node {
  struct node *next;
  int value;
};
static struct node nodes[1000];
int main(void) {
  int s = 0;
  for (int i = 0; i < 1000; i++) {
    nodes[i].next = i + 1 < 1000 ? &nodes[i + 1] : 0;
    nodes[i].value = i & 3;
  }
  for (int round = 0; round < 30000; round++)
    for (struct node *p = nodes; p; p = p->next)
      s = (s + p->value) & 65535;
  return s % 251;
}
